/** A login, so many times a create, a filtered list, an update and a delete, and a list: thirty requests. */
export const ROUNDS = 7;
