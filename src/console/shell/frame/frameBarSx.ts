/** A bar between the top bar and the page. @param bgcolor of the theme, such as `tone.warnSoft` */
export const frameBarSx = (bgcolor: string) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 2,
  px: { xs: 2.5, md: 3.5 },
  bgcolor,
  borderBottom: 1,
  borderColor: 'divider',
})
