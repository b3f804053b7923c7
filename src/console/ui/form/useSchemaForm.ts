import { zodResolver } from '@hookform/resolvers/zod'
import { useMemo } from 'react'
import { useForm, type DefaultValues, type FieldValues, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { formatIssue } from './formatIssue.ts'

export interface SchemaFormOptions {
  /** Fields that nobody changed follow the start. */
  follows?: boolean
  /**
   * When a rule that is broken is shown first. In a dialog not when a field is left: its button, if it is clicked then,
   * would move away from the pointer.
   */
  mode?: 'onSubmit' | 'onChange' | 'onTouched'
}

/**
 * Every form of the console: its fields and their rules are those of the schema, which stays the same object. What is
 * submitted is what the schema makes of the fields, such as trimmed texts.
 */
export function useSchemaForm<Form extends FieldValues>(
  schema: z.ZodType<Form, Form>,
  start: DefaultValues<NoInfer<Form>>,
  { follows = false, mode = 'onSubmit' }: SchemaFormOptions = {},
): UseFormReturn<Form> {
  const resolver = useMemo(() => zodResolver(schema, { error: messageOf }), [schema])
  return useForm<Form>({
    defaultValues: start,
    ...(follows && { values: start as Form, resetOptions: { keepDirtyValues: true } }), // a whole form, as the schema checks
    resolver,
    mode,
  })
}

/** The requirement of a rule; undefined where the schema says it in its own words. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  return formatIssue({ ...issue, path: issue.path ?? [], message: '' }) || undefined
}
