// Test data: a person whose identity is verified at once.
export const tenant = {
  email: 'ada@example.test',
  details: {
    first_name: 'Ada',
    last_name: 'Byron',
    phone: '5155550123',
    ssn: '512-04-8823',
    dob: '1990-04-17',
    address: { street1: '1 Main St', city: 'Ames', state: 'IA', postal_code: '50010' },
  },
}
