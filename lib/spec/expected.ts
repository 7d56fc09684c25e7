import type { Operation } from './operations.ts';

/** Stands for a text that the service chooses. */
const TEXT = '<string>';

/**
 * The body that section 4 or 7 shows for an answer, with `<string>` for each value that the service chooses; undefined if
 * they show none.
 *
 * @param name the name in the request, as JSON.
 */
export function expectedBody(operation: Operation, status: number, name = `"${TEXT}"`): string | undefined {
  const message = `{"message":"${TEXT}"}`;
  const tag = `{"name":${name},"tag_id":"${TEXT}"}`;
  const bodies: Readonly<Record<Operation, Readonly<Record<number, string>>>> = {
    login: { 200: `{"access_token":"${TEXT}"}`, 302: message },
    create: { 200: `{"tagging":${tag}}`, 422: INVALID },
    rename: { 200: message, 422: INVALID },
    list: { 200: `{"error":false,"tagging":[{"name":"${TEXT}","tag_id":"${TEXT}"}, ...]}` },
    delete: { 200: message, 404: message },
  };
  return bodies[operation][status];
}

const INVALID = `{"message":"The given data was invalid.","errors":{"name":["${TEXT}"]}}`;
