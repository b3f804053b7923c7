/** A rotation as a person reads it. */
import { rotationSteps, type ApiKeyRotation, type RotationStep } from '#contract/console/apiKeyRotations.ts'
import { counted } from '#domain/text/words.ts'

export type StepState = 'done' | 'running' | 'failed' | 'interrupted' | 'waiting'

interface ShownStep {
  step: RotationStep
  label: string
  state: StepState
}

/** The steps of the phase that a rotation is in. */
export function shownSteps(rotation: ApiKeyRotation): ShownStep[] {
  return rotationSteps[rotation.phase].map((step, at) => ({
    step,
    label: stepLabel(step, rotation),
    state: at < rotation.done ? 'done' : at > rotation.done || rotation.state === 'done' ? 'waiting' : rotation.state,
  }))
}

function stepLabel(step: RotationStep, { oldKey, newKey, connections }: ApiKeyRotation): string {
  const all = connections.length === 0 ? 'the connections' : counted(connections.length, 'connection')
  const labels: Record<RotationStep, string> = {
    create: `Create ${newKey.name}, with the same roles and addresses`,
    switch: `Give the new key to ${all}`,
    test: `Test ${all} with it`,
    disable: `Disable ${oldKey.name}`,
    enable: `Enable ${oldKey.name}`,
    switchBack: `Give the old key back to ${all}`,
    testBack: `Test ${all} with it`,
    remove: `Delete ${newKey.name}`,
    delete: `Delete ${oldKey.name}`,
  }
  return labels[step]
}

/** The current state, in a sentence. */
export function rotationStatusText(rotation: ApiKeyRotation): string {
  const { phase, state, connections, oldKey, newKey, endedAt } = rotation
  if (endedAt)
    return phase === 'undo' ? `Undone: ${oldKey.name} is in use as before.` : `Done: ${oldKey.name} is deleted.`
  const users = (which: 'old' | 'new') => connections.filter(({ uses }) => uses === which).map(({ name }) => name)
  const sentences = [
    sentence(users('new'), `the new key, ${newKey.name}`),
    sentence(users('old'), `the old key, ${oldKey.name}`),
  ].filter((text) => text !== '')
  if (phase === 'rotate' && state === 'done') {
    sentences.push(
      `${oldKey.name} is disabled. Delete it once nothing else needs it; until then, the rotation can be undone.`,
    )
  }
  return sentences.join(' ')
}

function sentence(names: readonly string[], what: string): string {
  if (names.length === 0) return ''
  return `${names.join(' and ')} ${names.length === 1 ? 'uses' : 'use'} ${what}.`
}
