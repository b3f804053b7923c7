import { visible } from '#console/ui/base/visible.ts'
import { Fragment, type ReactNode } from 'react'
import * as css from './ui.module.css'

/** Names and values as a description list. Rows without a value are omitted. */
export function DescriptionList({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <dl className={css.descriptionList}>
      {shown.map(([name, value]) => (
        <Fragment key={name}>
          <dt className={css.descriptionName}>{visible(name)}</dt>
          <dd className={css.descriptionValue}>{visible(value)}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
