import { z } from 'zod'

const day = 24 * 60 * 60 * 1000

/** For how many days a new key can be used. */
export const expiryChoice = z.enum(['30', '90', '180', '365', 'never'])
type ExpiryChoice = z.infer<typeof expiryChoice>

export const expiryChoices: readonly { value: ExpiryChoice; label: string }[] = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '180', label: 'In 180 days' },
  { value: '365', label: 'In a year' },
  { value: 'never', label: 'Never' },
]

/** @param now epoch milliseconds. @returns ISO 8601; null for never */
export function expiryOf(choice: ExpiryChoice, now: number): string | null {
  return choice === 'never' ? null : new Date(now + Number(choice) * day).toISOString()
}
