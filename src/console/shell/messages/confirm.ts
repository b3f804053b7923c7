/** Asking for confirmation. `ConfirmHost` of the frame shows the dialog. */
import { Store, useStore } from '@tanstack/react-store'
import type { ReactNode } from 'react'
import type { Connection } from '#contract/console/connections.ts'

interface Question {
  title: string
  /** The effect, and whether it can be undone. */
  body: ReactNode
  /** The label of the button: "Delete alert". */
  action: string
  danger?: boolean
  /** Text that must be typed to enable the button, such as the name of the deleted record. */
  typed?: string
  /** Whether it destroys more than one record or cannot be undone. On production, the connection's name must be typed then. */
  irreversible?: boolean
  /** The connection that it is about. Default: the connection of the page. */
  connection?: Connection
}

export type PendingQuestion = Question & { answer: (yes: boolean) => void }

const pending = new Store<PendingQuestion | null>(null)

/** Asks for confirmation. Resolves to whether it was given. */
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

/** The question that waits for an answer; null if there is none. */
export const usePendingQuestion = (): PendingQuestion | null => useStore(pending)
