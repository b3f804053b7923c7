/** The form's own state and rules. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import { formatError } from '#console/api/errors.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import type { Source } from '#contract/sources.ts'
import { changedFields, fieldAt, formSchema, sourceFields, type SourceField, type SourceForm } from './sourceForm.ts'

const resolver = zodResolver(formSchema)

export function useSourceForm(
  start: SourceForm,
  base: Source | null,
): { form: UseFormReturn<SourceForm>; values: SourceForm; changed: SourceField[] } {
  const form = useForm<SourceForm>({ defaultValues: start, resolver, mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: SourceForm) => all })
  return { form, values, changed: changedFields(values, base) }
}

/** Puts what the deployment refused on the form's fields. Answers what is left to say above them. */
export function showFailure(form: UseFormReturn<SourceForm>, failure: ApiFailure): ErrorText | null {
  const faults = (failure.fields ?? []).map(({ path, message }) => ({ path: fieldAt(path), message }))
  // The one refusal that names no field: section 5 of the open-source reference.
  if (faults.length === 0 && failure.message.startsWith('connection must be')) {
    faults.push({ path: 'connection', message: failure.message })
  }
  const unclaimed = applyFieldErrors(form, faults, sourceFields)
  if (faults.length > 0 && unclaimed.length === 0) return null
  return formatError(failure, location.pathname)
}
