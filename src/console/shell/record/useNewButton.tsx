import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { usePageActions } from '../pageActions.ts'

/**
 * The way to the form of a new record: a button for the head of a list and for the list that is empty, and `n`.
 * `thing` is what is made, inside of a sentence: "alert". `locked` is why none can be made; undefined where one can.
 */
export function useNewButton(resource: string, to: string, locked: string | undefined): ReactNode {
  const navigate = useNavigate()
  const label = `New ${resource}`
  usePageActions(
    useMemo(
      () => [{ label, icon: Plus, key: 'n', disabled: locked, run: () => void navigate({ to }) }],
      [label, locked, navigate, to],
    ),
  )
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
