/** The steps of a new pipe, and which fields each of them has. */
import type { FieldPath } from 'react-hook-form'
import { shownFields } from '../forms/refusals.ts'
import type { PipeForm } from '../forms/pipeForm.ts'

export const steps = ['source', 'preview', 'destination', 'review'] as const
export type Step = (typeof steps)[number]

export const stepTitles: Record<Step, string> = {
  source: 'Source',
  preview: 'Test and preview',
  destination: 'Destination',
  review: 'Size and review',
}

/** The step of a field, by its path in the form. */
export function stepOf(path: string): Step {
  if (/^(?:scaling|settings)\b/.test(path)) return 'review'
  if (/^source\.postgres\.(?:tableMappings|settings)\b/.test(path) || path.startsWith('destination.columns')) {
    return 'preview'
  }
  return path === 'serviceId' || path.startsWith('destination') ? 'destination' : 'source'
}

/** The fields of a form that can show an error, in the order of the steps. */
export function fieldsInOrder(form: PipeForm): FieldPath<PipeForm>[] {
  const all: FieldPath<PipeForm>[] = ['serviceId', ...shownFields(form)]
  return steps.flatMap((step) => all.filter((path) => stepOf(path) === step))
}
