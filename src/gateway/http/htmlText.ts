/** Text inside HTML. */
const escapes: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }

/** Text for the value of an attribute in double quotes, or between tags. */
export function asAttribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => escapes[character] ?? '')
}
