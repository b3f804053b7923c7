import type { z } from 'zod'

/** Converts a message of the validation library to a form error. */
export function formatIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return Number.isNaN(issue.input) ? 'Not a number' : 'Required'
  if (issue.code === 'too_small')
    return issue.minimum === 1 && issue.origin === 'string' ? 'Required' : `At least ${issue.minimum}`
  if (issue.code === 'too_big') return `At most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
  return issue.message
}
