/** Deleting one record: the code that does it is loaded with the first deletion. */
import { useCallback, useState, type ReactNode } from 'react'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import type { InUse, Removal } from './deletion.tsx'
import { asCrud, type RecordBase, type Resource } from './resource.ts'

const InUseDialog = lazyComponent(async () => (await import('./InUseDialog.tsx')).InUseDialog)
const loadDeletion = () => import('./deletion.tsx')

type Remove<T> = (record: T, removal?: Removal) => Promise<void>

/** `dialog` belongs on the page; `remove` is undefined if records cannot be deleted. */
export function useDeleteRecord<T extends RecordBase>(
  resource: Resource<T>,
  nameOf = resource.nameOf,
): { remove: Remove<T> | undefined; dialog: ReactNode } {
  const crud = asCrud(resource)
  const connection = useConnection()
  const [inUse, setInUse] = useState<InUse | null>(null)

  const remove = useCallback<Remove<T>>(
    async (record, removal = {}) => {
      if (!crud) return
      const deletion = await loadDeletion().catch(toastFailure)
      const found = await deletion?.deleteWithQuestion({ resource: crud, connection, record, nameOf }, removal)
      if (found) setInUse(found)
    },
    [crud, connection, nameOf],
  )

  const blocked = resource.uses?.blocked ?? ''
  const dialog = inUse && <InUseDialog {...inUse} blocked={blocked} onClose={() => setInUse(null)} />
  return { remove: crud && remove, dialog }
}
