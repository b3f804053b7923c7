/** Which step of a new pipe is shown: the address has it, so that the browser's own Back leads to the step before. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FieldPath, UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { useUrlState } from '#console/shell/urlState.ts'
import type { PipeForm } from '../forms/pipeForm.ts'
import { shownFields } from '#console/features/pipes/forms/refusals.ts'

/** The steps of a new pipe, and which fields each of them has. */
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

const urlState = z.object({ step: z.enum(steps).catch('source') })

export interface Steps {
  step: Step
  /** Opens a step. Those before it must be without errors: otherwise the first that has one opens. */
  open: (step: Step) => Promise<void>
  /** Opens the step of a field, which has the focus then. */
  openField: (path: string) => void
  /** Opens the step of the first error that the form has. */
  openError: () => void
  /** Put it on the heading of the step, which has the focus after a change. */
  headingRef: React.RefObject<HTMLDivElement | null>
}

/** @param onOpen called with each step that is opened ahead */
export function useSteps(form: UseFormReturn<PipeForm>, onOpen: (step: Step) => void): Steps {
  const [{ step: asked }, change] = useUrlState(urlState)
  // A form that has lost its values starts at its first step, whatever step its URL has.
  const [furthest, setFurthest] = useState(0)
  const at = Math.min(steps.indexOf(asked), furthest)
  const step = steps[at] ?? 'source'
  const headingRef = useRef<HTMLDivElement>(null)
  const wanted = useRef<FieldPath<PipeForm> | 'heading' | null>(null)

  const show = (next: Step, focus: FieldPath<PipeForm> | 'heading') => {
    wanted.current = focus
    setFurthest((before) => Math.max(before, steps.indexOf(next)))
    if (next === step) focusWanted()
    else change({ step: next === 'source' ? undefined : next }, { push: true })
  }
  const focusWanted = () => {
    const target = wanted.current
    wanted.current = null
    if (target === 'heading') headingRef.current?.focus()
    else if (target) form.setFocus(target)
  }
  const focusIn = useEffectEvent((_shown: Step) => focusWanted())
  useEffect(() => focusIn(step), [step])

  const openField = (path: string) => {
    const field = fieldsInOrder(form.getValues()).find((candidate) => candidate === path)
    if (field) show(stepOf(field), field)
  }
  const openError = () => {
    const wrong = fieldsInOrder(form.getValues()).find((path) => form.getFieldState(path).invalid)
    if (wrong) show(stepOf(wrong), wrong)
  }
  const open = async (next: Step) => {
    if (steps.indexOf(next) > at) {
      const before = fieldsInOrder(form.getValues()).filter((path) => steps.indexOf(stepOf(path)) < steps.indexOf(next))
      if (!(await form.trigger(before))) return openError()
      onOpen(next)
    }
    show(next, 'heading')
  }
  return { step, open, openField, openError, headingRef }
}
