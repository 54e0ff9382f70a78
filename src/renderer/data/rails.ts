export const RAILS = ['ach', 'wire', 'instant_payment', 'book_transfer'] as const
