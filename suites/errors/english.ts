/** Words that occur in English only. One of them shows that a text is English. */
const ENGLISH =
  /(?<!\p{L})(should|required|requires|please|cannot|failed|missing|wrong|something|unprocessable|with|which|been|provided|empty)(?!\p{L})/iu;

/** Common English words that also occur in other languages. Two of them show that a text is English. */
const COMMON =
  /(?<!\p{L})(the|given|data|was|were|is|must|request|invalid|validation|error|field|value|name|not|be|input|bad|entity|content)(?!\p{L})/giu;

/** Frequent words of other languages in Latin letters, none of which is an English word. */
const FOREIGN =
  /(?<!\p{L})(de|die|dit|het|een|niet|voor|deze|zijn|waren|werd|wordt|worden|moet|van|geen|ongeldige?|opgegeven|gegevens|der|das|den|dem|nicht|ein|eine|ist|sind|wurden?|und|muss|für|kein|ungültige?|le|la|les|des|une|est|sont|pas|du|données|el|los|las|es|una|son|datos|del|il|lo|gli|non|è|sono|dati|os|um|uma|são|dados|não|och|är|det|som|inte|ikke|jest|nie|są|ei)(?!\p{L})/iu;

/**
 * Whether a text is certainly English. A text in another language may contain loanwords and words that look English.
 */
export function isEnglish(text: string): boolean {
  if (FOREIGN.test(text)) return false;
  const common = new Set((text.match(COMMON) ?? []).map((word) => word.toLowerCase()));
  return ENGLISH.test(text) || common.size >= 2;
}
