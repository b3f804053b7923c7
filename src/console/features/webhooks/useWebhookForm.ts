/** The form's own state and rules. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useMemo } from 'react'
import { useForm, useWatch, type FieldPath, type UseFormReturn } from 'react-hook-form'
import { formatError } from '#console/api/errors.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import type { Webhook } from '#contract/webhooks.ts'
import {
  changedFields,
  formSchema,
  placeOf,
  webhookFields,
  type WebhookField,
  type WebhookForm,
} from './webhookForm.ts'
import { meantFields } from './webhookLabels.ts'

export function useWebhookForm(
  start: WebhookForm,
  base: Webhook | null,
): { form: UseFormReturn<WebhookForm>; values: WebhookForm; changed: WebhookField[] } {
  const resolver = useMemo(() => zodResolver(formSchema(base)), [base])
  const form = useForm<WebhookForm>({ defaultValues: start, resolver, mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: WebhookForm) => all })
  return { form, values, changed: changedFields(values, base) }
}

/** Puts what the deployment refused on the form's fields. Answers what is left to say above them. */
export function showFailure(form: UseFormReturn<WebhookForm>, failure: ApiFailure): ErrorText | null {
  const values = form.getValues()
  const rows = (field: 'headers' | 'queryParams') =>
    values[field].pairs.map((_, at) => `${field}.pairs.${at}.name` as const)
  const names: FieldPath<WebhookForm>[] = [...webhookFields, ...rows('headers'), ...rows('queryParams')]
  const faults = refusedFields(failure, values)
  const unclaimed = applyFieldErrors(form, faults, names)
  if (faults.length > 0 && unclaimed.length === 0) return null
  return formatError(failure, location.pathname)
}

function refusedFields(failure: ApiFailure, values: WebhookForm): { path: string; message: string }[] {
  if (failure.fields?.length) {
    return failure.fields.map(({ path, message }) => {
      const [field = '', ...name] = path.split('.')
      const parts = name.length > 0 ? [field, name.join('.')] : [field]
      return { path: placeOf(values, parts).join('.'), message }
    })
  }
  const field = failure.code === 'invalid' && meantFields.find(([says]) => says.test(failure.message))?.[1]
  return field ? [{ path: field, message: failure.message }] : []
}
