import { describe, expect } from 'vitest';
import { test } from './user.test.double.ts';

describe('explain', () => {
  test('says why and how a requirement is checked, what proves it and what usually breaks it', async ({
    user,
  }) => {
    const { code, stdout, stderr } = await user.run(['explain', 'create/echoes-name'], { COLUMNS: '120' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replace(/"ct[a-z]+"/g, '"NAME"').replace(/("tag_id":").*/g, '$1...')).toBe(
      `create/echoes-name (4.2 create, required)
  The answer to a create holds the name as it was sent.

Why       Specification 4.2: The tag in the body of that 200 has its name, a string.
          The specification states it, so that a run fails without it.

Checked   together with most others, at every effort; it has up to 1 tag at a time.
          It looks at every exchange of the run.
          On the reference server it sends:
            POST /api/v2/tagging {"name":"NAME"} -> 200 {"tagging":{"tag_id":"...

Proved    by servers with one defect each, which the check must find:
          - The answer to a create leaves out the name.
          - The answer to a create has the name in capitals.
          - The answer to a create cuts the name to ten characters.

Usually   The answer is made from the stored name, which was trimmed, cut or escaped.

Run it    account-mutation-conformance --only create/echoes-name
`,
    );
    expect(user.files).toEqual([]);
  });

  test.for([
    ['open/filter-match', /A declaration names the answer filter\.match/],
    ['transport/json', /It looks at every exchange of the run\./],
    ['create/persists', /Create assigns the identifier that paths and lists use \(2\)/],
    ['login/wrong-password', /POST \/api\/v2\/auth\/login \{[^\n]*"password":"\.\.\."[^\n]* -> 302/],
  ] as const)('shows what is special about %s', async ([id, expected], { user }) => {
    const { code, stdout } = await user.run(['explain', id], { COLUMNS: '200' });
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\n {10}(?! )/g, ' ')).toMatch(expected);
  });

  test('takes neither settings nor a target', async ({ user }) => {
    const { code } = await user.run(['explain', 'list/answers'], { CONFORMANCE_BASE_URL: 'not an address' });
    expect(code).toBe(0);
  });

  test('suggests a similar id', async ({ user }) => {
    const { code, stdout, stderr } = await user.run(['explain', 'create/answer']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('"create/answer" is not the id of a requirement. Did you mean create/answers?\n');
  });

  test('names the ids of a topic', async ({ user }) => {
    const { code, stderr } = await user.run(['explain', 'delete']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^"delete" is not the id of a requirement\. Those of delete\/ are: delete\/.*, delete\//,
    );
  });
});
