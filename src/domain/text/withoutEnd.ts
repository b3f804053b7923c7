/**
 * A text without the characters at its end that are among these, such as punctuation. It looks at each character once: a
 * pattern such as `/[;.]+$/` starts again at each of many such characters that are not at the end.
 * @param pattern matches one character
 */
export function withoutEnd(text: string, pattern: RegExp): string {
  let end = text.length
  while (end > 0 && pattern.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
