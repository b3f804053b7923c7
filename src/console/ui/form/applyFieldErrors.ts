/** Puts the server's field errors on the form's fields. */
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'

interface FieldError {
  path: string
  message: string
}

/**
 * Sets each error on the field of its path, or of its nearest named ancestor (`channels.0.webhookId` -> `channels`),
 * and focuses the first. Answers those that no field claims: they belong above the form.
 */
export function applyFieldErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  errors: readonly FieldError[],
  fields: readonly FieldPath<Values>[],
): FieldError[] {
  const unclaimed: FieldError[] = []
  let focused = false
  for (const error of errors) {
    const field = claimant(error.path, fields)
    if (field === undefined) {
      unclaimed.push(error)
      continue
    }
    form.setError(field, { type: 'server', message: error.message }, { shouldFocus: !focused })
    focused = true
  }
  return unclaimed
}

/** The longest of the fields that is the path itself or lies above it. */
export function claimant<Name extends string>(path: string, fields: readonly Name[]): Name | undefined {
  return fields
    .filter((field) => path === field || path.startsWith(`${field}.`))
    .toSorted((a, b) => b.length - a.length)[0]
}
