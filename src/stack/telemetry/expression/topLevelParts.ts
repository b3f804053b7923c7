/** The parts of a list such as `a, f(b, c), d['e,f']`: commas inside of brackets and quotes do not separate. */
export function topLevelParts(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let part = ''
  for (const character of list) {
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (/['"`]/.test(character)) quote = character
    else if (/[([{]/.test(character)) depth++
    else if (/[)\]}]/.test(character)) depth--
    if (character === ',' && depth === 0 && quote === '') {
      parts.push(part)
      part = ''
    } else part += character
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '')
}
