import * as css from './base.module.css'

interface SkeletonProps {
  /** A line of text, or an area. */
  variant?: 'text' | 'rounded'
  width?: number | string
  height?: number | string
  className?: string | undefined
}

/** The place of what is still loading. */
export function Skeleton({ variant = 'text', width, height, className = '' }: SkeletonProps) {
  return <span className={`${css.skeleton} ${className}`} data-variant={variant} style={{ width, height }} />
}
