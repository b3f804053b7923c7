/** Names that people give things in the console: connections, people, tokens, passkeys. */
import { z } from 'zod'

/** Control characters, line separators, and characters that change the direction of the text around them. */
export const misleading = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

export const misleadingRule = 'must not contain line breaks, control characters or characters that reorder text'

/** @param max characters, without spaces around them */
export function givenName(max: number, missing = 'Enter a name') {
  return z
    .string()
    .trim()
    .min(1, missing)
    .max(max)
    .refine((text) => !misleading.test(text), misleadingRule)
}
