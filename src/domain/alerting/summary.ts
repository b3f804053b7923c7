/** Groups of an alert that fire in one pass and are sent one by one. More of them are one summary. */
export const maxSingleGroups = 20
