import type { Secret } from '../secret.ts';
import { kindOf, type StandIns } from './stand-ins.ts';

/** A secret header with a stand-in for its credentials. The scheme before them is not secret (RFC 9110, 11.4). */
export function headerStandIn(value: Secret, standIns: StandIns): string {
  const [, scheme = '', credentials = ''] = /^([A-Za-z]+ +)?(.*)$/s.exec(value.reveal()) ?? [];
  return scheme + standIns.of(credentials);
}

/**
 * The body of a login with a stand-in for each secret. The label of the body is the same JSON, with labels in place of
 * the secrets.
 */
export function loginStandIn(body: Secret, standIns: StandIns): string {
  const pairs = new Map<string, string>();
  try {
    const [sent, labelled] = [body.reveal(), body.label].map((text) => JSON.parse(text) as unknown);
    collect(sent, labelled, pairs);
  } catch {
    return body.label;
  }
  return [...pairs].reduce(
    (text, [label, secret]) =>
      text.replaceAll(JSON.stringify(label), () => JSON.stringify(standIns.of(secret, kindOf(label)))),
    body.label,
  );
}

/** Pairs each label within a labelled value with the secret in the same place. */
function collect(sent: unknown, labelled: unknown, pairs: Map<string, string>): void {
  if (typeof sent === 'string' && typeof labelled === 'string') {
    if (sent !== labelled) pairs.set(labelled, sent);
    return;
  }
  if (typeof sent !== 'object' || sent === null || typeof labelled !== 'object' || labelled === null) return;
  for (const [name, value] of Object.entries(sent))
    collect(value, (labelled as Readonly<Record<string, unknown>>)[name], pairs);
}
