import { z } from 'zod';
import { SettingsError } from '../settings-error.ts';

const TEXTS = 'is expected to be a list of texts, such as ["list/"]';
const flag = z.boolean('is expected to be true or false').optional();
const text = z.string('is expected to be a text').optional();
const callback = z.custom((value) => typeof value === 'function', 'is expected to be a function').optional();
const object = z.record(z.string(), z.unknown(), 'is expected to be an object').optional();

/** The forms of the options that are not settings. Settings are read as texts, as from the environment. */
const FORMS = z.object(
  {
    allowHttp: flag,
    requireWhole: flag,
    evidence: flag,
    only: z.array(z.string(TEXTS), TEXTS).optional(),
    declaration: object,
    knownFailures: object,
    product: text,
    productVersion: text,
    operator: text,
    signal: z.instanceof(AbortSignal, { error: 'is expected to be an AbortSignal' }).optional(),
    onResult: callback,
    onNotice: callback,
  },
  'are expected to be an object',
);

/**
 * Refuses options of another form, which only a program without types can give.
 *
 * @throws SettingsError for the first one; it names the option.
 */
export function refuseOtherForms(options: unknown): void {
  const { error } = FORMS.safeParse(options);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return;
  const [name = 'The options'] = issue.path;
  throw new SettingsError(`${String(name)} ${issue.message}.`);
}
