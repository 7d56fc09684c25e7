/** What each section of the specification is about. `0` is the text before the first one. */
const TITLES: Readonly<Record<string, string>> = {
  '0': 'before the first section',
  '1': 'the service',
  '2': 'resources and fields',
  '3': 'states',
  '4': 'all endpoints',
  '4.1': 'login',
  '4.2': 'create',
  '4.3': 'update',
  '4.4': 'list',
  '4.5': 'delete',
  '5': 'authentication',
  '6': 'events',
  '7': 'errors',
  '8': 'limits',
  '9': 'versioning',
};

/** What a section is about, such as `create`; an empty string for an unknown section. */
export const sectionTitle = (section: string): string => TITLES[section] ?? '';

/** A section with its title, such as `4.2 create`. */
export const sectionName = (section: string): string => `${section} ${sectionTitle(section)}`.trim();

/** Compares two section numbers, for sorting. */
export const bySection = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true });
