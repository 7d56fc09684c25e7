/** With a login before and a list after, this many rounds of create, filtered list, update and delete: thirty requests. */
export const ROUNDS = 7;
