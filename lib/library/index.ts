// What `import ... from 'account-mutation-conformance'` gives.
export { certify, type CertifyOptions } from './certify.ts';
export type { Options } from './options.ts';
export { requirements, type Requirement } from './requirements.ts';
export { reportSchema, type Report, type ReportedRequirement } from '../reports/schema.ts';
export { LEVELS as levels } from '../level.ts';
export { SettingsError } from '../settings-error.ts';
