/** Grouping as tiles spell it: several expressions in one text, parted by commas outside of brackets and quotes. */

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** `ServiceName, LogAttributes['a,b'], round(x, 2)` -> three expressions, trimmed, none empty. */
export function splitGroupBy(text: string): string[] {
  const parts: string[] = []
  const open: string[] = []
  let quote: string | null = null
  let part = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (quote !== null && char === '\\') {
      part += char + (text[++at] ?? '')
      continue
    }
    if (quote !== null) quote = char === quote ? null : quote
    else if (char === "'" || char === '"' || char === '`') quote = char
    else if (closing[char]) open.push(closing[char])
    else if (char === open.at(-1)) open.pop()
    else if (char === ',' && open.length === 0) {
      parts.push(part)
      part = ''
      continue
    }
    part += char
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '')
}
