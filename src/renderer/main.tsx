document.getElementById('root')!.textContent = 'Sandbank'
