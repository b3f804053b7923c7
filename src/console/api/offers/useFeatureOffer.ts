/** Single features of deployments, beside the resources that they offer. */
import { useStore } from '@tanstack/react-store'
import { answerKey, answers, originOf, subjectOf, type Answer, type Operation } from './offers.ts'
import { keepMissingFeatures } from './missingFeatures.ts'

keepMissingFeatures()

/**
 * Features that cannot be asked for without a change, and the read that deployments have where they have these: its
 * response decides until the feature itself was used.
 */
const toldBy: Record<string, string> = {
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
  return useStore(answers, (all) => all[answerKey(id, feature)] ?? told(all[answerKey(id, toldBy[feature] ?? '')]))
}

/** An answer about a read, for the features that come with it: an API whose read a tool replaces has none of them. */
function told(answer: Answer | undefined): Answer | undefined {
  return originOf(answer) ? 'notOffered' : answer
}
