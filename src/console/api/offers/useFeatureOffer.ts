/** Single features of deployments, beside the resources that they offer. */
import { useStore } from '@tanstack/react-store'
import { answerKey, answers, originOf, subjectOf, type Answer, type Operation } from './offers.ts'

/**
 * Features that cannot be asked for without a change, and the read that deployments have where they have these: its
 * response decides until the feature itself was used.
 */
const decidingReads: Record<string, string> = {
  'alerts firings': 'alerts evaluations',
  'alerts silences': 'alerts evaluations',
  'alerts pauses': 'alerts evaluations',
  'alerts acknowledgements': 'alerts evaluations',
  'alerts test': 'alerts evaluationStatus',
  'webhooks test': 'alerts evaluationStatus',
}

/** Whether a deployment may have the feature of an operation: until it responds that it has no such route. */
export function useFeatureOffer(connection: { id: string }, operation: Operation): boolean {
  return useFeatureAnswer(connection, operation) !== 'notOffered'
}

/** Whether a deployment offers an operation; undefined until it is known. */
export function useFeatureAnswer({ id }: { id: string }, operation: Operation): Answer | undefined {
  const feature = subjectOf(operation)
  return useStore(
    answers,
    (all) => all[answerKey(id, feature)] ?? answerForFeature(all[answerKey(id, decidingReads[feature] ?? '')]),
  )
}

/** An answer about a read, for the features that come with it: an API whose read a tool replaces has none of them. */
function answerForFeature(answer: Answer | undefined): Answer | undefined {
  return originOf(answer) ? 'notOffered' : answer
}

/**
 * The entry of the browser's storage with the features that deployments do not have. It is kept for the day: a deployment is not
 * asked again with every visit, but it may be upgraded.
 */
const key = 'stack-console.missing-features'
const today = () => new Date().toDateString()

function stored(): string[] {
  try {
    const [day, ...subjects] = JSON.parse(localStorage.getItem(key) ?? '[]')
    return day === today() ? subjects : []
  } catch {
    return []
  }
}

/** Only features are remembered: without a whole resource, or its changes, pages would be closed for the day. */
const isFeature = (at: string) => at.includes(' ') && !/ (?:changes|items)$/.test(at)

function keep(): void {
  const missing = Object.keys(answers.state).filter((at) => isFeature(at) && answers.state[at] === 'notOffered')
  try {
    localStorage.setItem(key, JSON.stringify([today(), ...missing]))
  } catch {
    // Without local storage, it is asked again by the next page.
  }
}

/** Reads the stored list of missing features, and stores those that are found from now on. */
function keepMissingFeatures(): void {
  answers.setState((known) => ({
    ...Object.fromEntries(stored().map((at) => [at, 'notOffered' as const])),
    ...known,
  }))
  answers.subscribe(keep)
}

keepMissingFeatures()
