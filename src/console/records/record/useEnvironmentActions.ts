import { useNavigate } from '@tanstack/react-router'
import { History, Send } from 'lucide-react'
import { useMemo } from 'react'
import { paths } from '#console/paths/paths.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { historyResources } from '#contract/stack/recordKinds.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { useConnection, useFrameConnection } from '#console/shell/connection.tsx'

interface EnvironmentActions {
  ofRecord: (id: string) => Action[]
  ofRecords: (ids: readonly string[]) => Action[]
}

/**
 * The ways from a record to its history, and to its copies on other connections.
 * @param kind the resource of the records: some kinds have no history, or are not copied
 */
export function useEnvironmentActions(kind: string): EnvironmentActions {
  const { id: connectionId } = useConnection()
  const { connections } = useFrameConnection()
  const navigate = useNavigate()
  const isAlone = connections.length < 2
  return useMemo(() => {
    const promote = (ids: readonly string[]): Action[] => {
      if (!recordKinds.some((recordKind) => recordKind === kind)) return []
      const search = { from: connectionId, records: ids.map((id) => `${kind}/${id}`).join(',') }
      return [
        {
          label: 'Promote…',
          icon: Send,
          disabled: isAlone ? 'There is no other connection to copy it to' : undefined,
          run: () => void navigate({ to: paths.promote(), search }),
        },
      ]
    }
    const history = (id: string): Action[] => {
      if (!historyResources.includes(kind)) return []
      const search = { kind, record: id }
      return [
        { label: 'History', icon: History, run: () => void navigate({ to: paths.history(connectionId), search }) },
      ]
    }
    return { ofRecord: (id) => [...history(id), ...promote([id])], ofRecords: promote }
  }, [kind, connectionId, isAlone, navigate])
}
