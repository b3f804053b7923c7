import { Info, Table2 } from 'lucide-react'
import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { ProgressPlace } from '#console/charting/progress/progressPlace.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import * as base from '#console/ui/base/base.module.css'
import { hint } from '#console/ui/hint/hint.ts'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import * as css from './dashboardView.module.css'

export type TileView = 'chart' | 'table'

interface TileFrameProps extends ComponentProps<'section'> {
  name: string
  /** Sentences about the tile; empty for none. */
  notes: string
  /** How its data is shown, where there are two ways. */
  view?: TileView | undefined
  onView: (view: TileView) => void
  /** In front of the name: the handle that drags. */
  handle?: ReactNode
  /** Behind the name. */
  status?: ReactNode
  isLoading?: boolean
  /** At the end of the header. */
  menu?: ReactNode
}

/** A tile with its name: the same on its dashboard and by a shared link. Other properties are those of its section. */
export function TileFrame(props: TileFrameProps) {
  const { name, notes, view, onView, handle, status, isLoading = false, menu, children, ...section } = props
  const titleId = useId()
  const [progressPlace, setProgressPlace] = useState<HTMLElement | null>(null)
  const toggle = view === 'table' ? `Show ${name} as chart` : `Show ${name} as table`
  return (
    <section aria-labelledby={titleId} className={`${base.card} ${css.tileCard}`} {...section}>
      <div className={css.tileHeader}>
        {handle}
        <Text id={titleId} variant="h3" component="h2" className={css.tileTitle} title={name}>
          {name}
        </Text>
        {status}
        <Spacer />
        <div ref={setProgressPlace} className={css.tileWait} />
        {isLoading && <span role="progressbar" aria-label="Loading" className={css.tileSpinner} />}
        {notes && (
          <span {...hint(notes)} role="img" aria-label={notes} className={css.notes}>
            <Info size={14} aria-hidden />
          </span>
        )}
        {view && (
          <IconButton
            {...hint(toggle)}
            data-quiet
            aria-label={toggle}
            aria-pressed={view === 'table'}
            onClick={() => onView(view === 'table' ? 'chart' : 'table')}
            size="small"
          >
            <Table2 size={14} aria-hidden />
          </IconButton>
        )}
        {menu}
      </div>
      <ProgressPlace value={progressPlace}>{children}</ProgressPlace>
    </section>
  )
}
