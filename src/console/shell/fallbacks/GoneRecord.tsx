import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { goneQuery } from '#console/api/gateway/history.ts'
import { paths } from '#console/paths/paths.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { useConnection } from '../connection.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { toast } from '../messages/toasts.tsx'

export interface GoneRecordProps {
  /** The kind in the history: "dashboards". */
  kind: string
  id: string
  /** The name of one record inside a sentence. */
  noun: string
  /** The page of a record of the kind. */
  pathOf: (connectionId: string, id: string) => string
  /** The list of all records. */
  list: ReactNode
  /** For a record of which the history knows nothing. */
  children: ReactNode
}

/** In place of the page of a record that is not found: leads to it under its new ID, or offers to bring it back. */
export function GoneRecord({ kind, id, noun, pathOf, list, children }: GoneRecordProps) {
  const { id: connectionId } = useConnection()
  const navigate = useNavigate()
  const isRestorable = (recordKinds as readonly string[]).includes(kind) // a list of known names, asked for any
  const { data, isPending } = useQuery({ ...goneQuery(connectionId, kind, id), enabled: isRestorable })
  const now = data?.broughtBackAs
  useEffect(() => {
    if (now === undefined) return
    toast({ tone: 'ok', text: `The ${noun} was deleted and brought back. This is its new address.` })
    void navigate({ to: pathOf(connectionId, now), replace: true })
  }, [now, noun, navigate, pathOf, connectionId])
  if (!isRestorable) return children
  if (isPending || now !== undefined) return null
  if (!data) return children
  return (
    <EmptyState
      icon={Trash2}
      title={`This ${noun} was deleted`}
      action={
        <>
          <LinkButton
            variant="contained"
            color="primary"
            to={paths.history(connectionId)}
            search={{ view: 'deleted', back: `${kind}/${id}` }}
          >
            Bring back…
          </LinkButton>
          {list}
        </>
      }
    >
      {data.name || `Untitled ${noun}`}, deleted {formatMoment(data.at)}. Nothing is restored before you have seen the
      plan.
    </EmptyState>
  )
}
