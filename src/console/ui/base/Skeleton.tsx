import * as css from './base.module.css'

interface SkeletonProps {
  /** A line of text, or an area. */
  variant?: 'text' | 'rounded'
  width?: number | string
  height?: number | string
  className?: string | undefined
  /** Without its wave, in lines of which there may be hundreds: so many animations keep a processor busy. */
  still?: boolean
}

/** The place of what is still loading. */
export function Skeleton({ variant = 'text', width, height, className = '', still }: SkeletonProps) {
  return (
    <span
      className={`${css.skeleton} ${className}`}
      data-variant={variant}
      data-still={still}
      style={{ width, height }}
    />
  )
}
