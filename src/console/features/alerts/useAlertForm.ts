/** The form's own state and the rules of its variant. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useMemo } from 'react'
import { useForm, useWatch, type FieldPath, type UseFormReturn } from 'react-hook-form'
import type { ApiFailure } from '#console/api/failure.ts'
import { formatError } from '#console/api/errors.ts'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import type { Alert } from '#contract/alerts.ts'
import type { Variant } from '#contract/kernel.ts'
import { alertFields, changedFields, formSchema, type AlertField, type AlertForm } from './alertForm.ts'
import { serverFaults } from './serverFaults.ts'

export function useAlertForm(
  start: AlertForm,
  base: Alert | null,
  variant: Variant,
): { form: UseFormReturn<AlertForm>; values: AlertForm; changed: AlertField[] } {
  const resolver = useMemo(() => zodResolver(formSchema(base, variant)), [base, variant])
  const form = useForm<AlertForm>({ defaultValues: start, resolver, mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: AlertForm) => all })
  return { form, values, changed: changedFields(values, base) }
}

/** Puts what the deployment refused on the form's fields. Answers what is left to say above them. */
export function showFailure(form: UseFormReturn<AlertForm>, failure: ApiFailure): ErrorText | null {
  const names: FieldPath<AlertForm>[] = [
    ...alertFields,
    ...form.getValues('channels').map((_, at) => `channels.${at}.webhookId` as const),
  ]
  const fields = serverFaults(failure)
  const unclaimed = applyFieldErrors(form, fields, names)
  if (fields.length > 0 && unclaimed.length === 0) return null
  return formatError(failure, location.pathname)
}
