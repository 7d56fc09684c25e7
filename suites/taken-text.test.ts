import { expect, test } from 'vitest';
import { certifyChanged } from '../fixtures/certifying.ts';
import { isObject, type Caller } from '../fixtures/reference/reference.ts';
import { variants } from '../fixtures/variants/index.ts';
import { catalogue } from './index.ts';

test('a 409 to a boolean is no fault if a tag of another check had its text as a name', async () => {
  const asText = variants.find(({ name }) => name === 'numbers and booleans as text');
  if (asText === undefined) throw new Error('there is no such variant');
  let refused = 0;
  const { report } = await certifyChanged(
    (Base) =>
      class extends asText.change(Base) {
        override rename(caller: Caller, tagId: string, body: unknown): Response {
          const isBoolean = isObject(body) && String(body['name']) === 'true';
          // Six times: that is how often such a tag exists at that moment.
          return isBoolean && ++refused <= 6
            ? this.json(409, { message: 'There is one of this name.' })
            : super.rename(caller, tagId, body);
        }
      },
    { selected: catalogue.filter(({ id }) => id.endsWith('/name-boolean')) },
  );
  expect(refused).toBeGreaterThan(0);
  expect(report.requirements.map(({ verdict }) => verdict)).toEqual(['warn', 'warn']);
});

test('a 409 to a boolean is no fault if a quota refuses its text as a name, so that nothing shows whether it is taken', async () => {
  const { report } = await certifyChanged(
    (Base) =>
      class extends Base {
        override async fetch(request: Request): Promise<Response> {
          const sent = request.method === 'POST' ? await request.clone().text() : '';
          if (/"name":true/.test(sent)) return this.json(409, { message: 'There is one of this name.' });
          return /"name":"(?:true|1)"/i.test(sent)
            ? this.json(402, { message: 'There are too many tags.' })
            : super.fetch(request);
        }
      },
    { selected: catalogue.filter(({ id }) => id === 'create/name-boolean') },
  );
  expect(report.requirements.map(({ verdict }) => verdict)).toEqual(['warn']);
});
