/** Asking before something is done. The dialog itself is loaded with the first question. */
import { Store, useStore } from '@tanstack/react-store'
import type { ReactNode } from 'react'
import type { Connection } from '#contract/connections.ts'
import { onDemand } from '#console/ui/onDemand.tsx'

interface Question {
  title: string
  /** What will happen, and whether it can be undone. */
  body: ReactNode
  /** What the button does: "Delete alert". */
  action: string
  danger?: boolean
  /** Must be typed before the button works, such as the name of what is deleted. */
  typed?: string
  /** It destroys more than one record or cannot be undone: on production the connection's name must be typed. */
  irreversible?: boolean
  /** What it is about; the page's own unless told. */
  connection?: Connection
}

export type Pending = Question & { answer: (yes: boolean) => void }

const pending = new Store<Pending | null>(null)

/** Asks before something is done. Resolves to whether the person said yes. */
export function confirm(question: Question): Promise<boolean> {
  pending.state?.answer(false)
  return new Promise((resolve) => {
    pending.setState(() => ({
      ...question,
      answer: (yes) => {
        pending.setState(() => null)
        resolve(yes)
      },
    }))
  })
}

const ConfirmDialog = onDemand(async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog)

/** Draws the question that is asked; part of the frame. */
export function ConfirmHost() {
  const question = useStore(pending)
  return question && <ConfirmDialog key={question.title} question={question} />
}
