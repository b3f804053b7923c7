import { Star } from 'lucide-react'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { visibleText } from '#domain/text/visibleText.ts'
import { toggleFavorite, useIsFavorite } from './dashboardShelf.ts'
import * as css from '../charting.module.css'

interface FavoriteButtonProps {
  connectionId: string
  dashboardId: string
  name: string
}

/** Makes a dashboard a favorite of this browser, or takes that back. */
export function FavoriteButton({ connectionId, dashboardId, name }: FavoriteButtonProps) {
  const isFavorite = useIsFavorite(connectionId, dashboardId)
  return (
    <IconButton
      {...hint(isFavorite ? 'Remove from favorites' : 'Add to favorites')}
      aria-label={`Favorite: ${visibleText(name)}`}
      aria-pressed={isFavorite}
      onClick={() => toggleFavorite(connectionId, dashboardId)}
      size="small"
      className={isFavorite ? css.favorite : ''}
    >
      <Star size={15} aria-hidden />
    </IconButton>
  )
}
