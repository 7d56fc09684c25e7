/** The titles of the sections that requirements come from. */
const TITLES: Readonly<Record<string, string>> = {
  '1': 'the service',
  '2': 'resources and fields',
  '4': 'all endpoints',
  '4.1': 'login',
  '4.2': 'create',
  '4.3': 'update',
  '4.4': 'list',
  '4.5': 'delete',
  '5': 'authentication',
  '7': 'errors',
  '8': 'limits',
  '9': 'versioning',
};

/** A section with its title, such as `4.2 create`. */
export const sectionName = (section: string): string => `${section} ${TITLES[section] ?? ''}`.trim();

/** Compares two section numbers, for sorting. */
export const bySection = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true });
