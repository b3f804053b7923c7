import * as css from './base.module.css'

interface ProgressProps {
  /** Its name for screen readers. */
  'aria-label': string
  /** 0 to 1; undefined while it is not known. */
  share?: number | undefined
  className?: string | undefined
}

/** How far something has come. */
export function Progress({ share, className = '', ...name }: ProgressProps) {
  const percent = share === undefined ? undefined : Math.round(share * 100)
  return (
    <span
      role="progressbar"
      {...name}
      {...(percent === undefined ? {} : { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': percent })}
      className={`${css.progress} ${className}`}
    >
      <span className={css.progressBar} style={percent === undefined ? undefined : { width: `${percent}%` }} />
    </span>
  )
}
