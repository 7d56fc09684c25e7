/** Why what follows from two accounts is derived. */
export const SEPARATE =
  'The API is for one account (1), and a token is a substitute for the username and password of one account (5).';
