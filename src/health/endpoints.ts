import { endpoint } from '../http/endpoint';

export const getHealth = endpoint({ method: 'GET', path: '/healthz', access: 'open', answers: { 200: ['health'] } });

export const getReadiness = endpoint({ method: 'GET', path: '/readyz', access: 'open', answers: { 200: ['ready'], 503: ['notReady'] } });
