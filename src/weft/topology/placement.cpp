namespace weft::topology {}
