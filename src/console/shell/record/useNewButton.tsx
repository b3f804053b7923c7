import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { usePageActions } from '../pageActions.ts'

/**
 * The button that opens the form of a new record, for the head of a list and for an empty list; the key `n` does too.
 * @param noun the name of one record inside a sentence: "alert"
 * @param to the form; undefined if none can be created here
 * @param locked why none can be created
 */
export function useNewButton(noun: string, to: string | undefined, locked: string | undefined): ReactNode {
  const navigate = useNavigate()
  const label = `New ${noun}`
  usePageActions(
    useMemo(
      () => (to ? [{ label, icon: Plus, key: 'n', disabled: locked, run: () => void navigate({ to }) }] : []),
      [label, locked, navigate, to],
    ),
  )
  if (!to) return undefined
  return (
    <DisabledReason reason={locked}>
      <LinkButton
        to={to}
        variant="contained"
        color="primary"
        disabled={locked !== undefined}
        startIcon={<Plus size={14} aria-hidden />}
      >
        {label}
      </LinkButton>
    </DisabledReason>
  )
}
