/** bcrypt hashes the first 72 bytes of a password only: it takes a longer one for the same password. */
export const HASHED_BYTES = 72;

/**
 * What a conforming target may compare of a password: its first 72 bytes up to a NUL, in a normal form. Two passwords
 * that do not differ in it may count as the same one.
 */
const compared = (password: string): string => {
  const [start = ''] = password.normalize('NFKC').trim().split('\0');
  return Buffer.from(start.toWellFormed()).subarray(0, HASHED_BYTES).toString('hex');
};

/** Whether a conforming target may take one password for the other. */
export const mayBeSame = (one: string, other: string): boolean =>
  compared(one) === compared(other) ||
  // The normal form may also come after the cut.
  Buffer.from(one).subarray(0, HASHED_BYTES).equals(Buffer.from(other).subarray(0, HASHED_BYTES));
