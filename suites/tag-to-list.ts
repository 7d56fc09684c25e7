import { type Tag, type Target } from '../lib/check.ts';

/** A tag to list: one that stays until the run ends, else a new one. It is neither updated nor deleted. */
export const tagToList = async (target: Target): Promise<Tag> => target.facts.keeper ?? target.makeTag();
