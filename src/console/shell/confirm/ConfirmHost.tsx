import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { usePendingQuestion } from '../messages/confirm.ts'

const ConfirmDialog = lazyComponent(async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog)

/** Shows the confirmation dialog while a question waits for an answer. Its code is loaded with the first question. */
export function ConfirmHost() {
  const question = usePendingQuestion()
  return question && <ConfirmDialog key={question.title} question={question} />
}
