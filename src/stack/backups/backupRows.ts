/** The stored backups of services. */
import type { ServiceBackup } from '#contract/cloud/services/serviceBackups.ts'
import { collection, documentsOf } from '../store/collection.ts'
import type { Queries } from '../store/store.ts'

export interface BackupDocument extends ServiceBackup {
  serviceId: string
  status: string
  startedAt: string
}

const rows = collection<BackupDocument>('service_backups', {
  columns: ({ serviceId }) => ({ service_id: serviceId }),
})

export const backupRows = {
  ...rows,
  /** The backups of a service, the oldest first. */
  async of(queries: Queries, serviceId: string): Promise<BackupDocument[]> {
    const found = await queries.rows('SELECT id, document FROM service_backups WHERE service_id = ? ORDER BY seq', [
      serviceId,
    ])
    return documentsOf<BackupDocument>('service_backups', found)
  },
}
