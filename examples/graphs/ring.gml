graph [
  node [ id 0 label "North" ]
  node [ id 1 label "East" ]
  node [ id 2 label "South" ]
  edge [ source 0 target 1 LinkSpeedRaw 10000000000.0 ]
  edge [ source 1 target 2 LinkSpeedRaw 10000000000.0 ]
  edge [ source 2 target 0 LinkSpeedRaw 1000000000.0 ]
]
