import { LockKeyholeOpen } from 'lucide-react'
import type { Connection } from '#contract/connections.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { useFrameConnection } from '../connection.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import css from './AllowWritesButton.module.css'
import windowWidth from './windowWidth.module.css'

/** Loaded on demand, because the shell contains no schemas. */
const ask = async (connection: Connection) => (await import('../stage/readOnly.ts')).allowWrites(connection)

/** On pages of a read-only connection: allows writes. */
export function AllowWritesButton() {
  const { connection, inAddress } = useFrameConnection()
  if (!inAddress || !connection?.readOnly || connection.writesRefused) return null
  return (
    <Button onClick={() => void ask(connection)} className={css.allowWritesButton}>
      <LockKeyholeOpen size={14} aria-hidden />
      <span className={windowWidth.wide}>Allow writes</span>
      <span className={windowWidth.narrow}>
        <VisuallyHidden>Allow writes</VisuallyHidden>
      </span>
    </Button>
  )
}
